require 'json'
require 'net/http'

BASE_URL = 'http://localhost:3000'

def send_form(path, form, headers)
  response = Net::HTTP.post(URI(BASE_URL + path), URI.encode_www_form(form), headers)
  raise response.body unless response.is_a?(Net::HTTPSuccess)

  JSON.parse(response.body)
end

credentials = ["YOUR_CLIENT_ID:#{ENV.fetch('CLIENT_SECRET')}"].pack('m0')
tokens = send_form('/oauth/token', { grant_type: 'client_credentials' }, { 'Authorization' => "Basic #{credentials}" })

headers = { 'Accept' => 'application/json', 'Authorization' => "Bearer #{tokens['access_token']}" }
created = send_form('/api/v2.0/post/create', { message: 'Hello from the API #Linnet' }, headers)
puts "Published #{created['items']['link']}"

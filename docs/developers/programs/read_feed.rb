require 'json'
require 'net/http'

BASE_URL = 'http://localhost:3000'

def read(response)
  raise response.body unless response.is_a?(Net::HTTPSuccess)

  JSON.parse(response.body)
end

credentials = ["YOUR_CLIENT_ID:#{ENV.fetch('CLIENT_SECRET')}"].pack('m0')
headers = { 'Authorization' => "Basic #{credentials}" }
tokens = read(Net::HTTP.post(URI("#{BASE_URL}/oauth/token"), 'grant_type=client_credentials', headers))

headers = { 'Accept' => 'application/json', 'Authorization' => "Bearer #{tokens['access_token']}" }
feed = read(Net::HTTP.get_response(URI("#{BASE_URL}/api/v2.0/feed?count=1"), headers))
feed['items'].each { |post| puts "#{post['user']['displayName']}: #{post['text']}" }

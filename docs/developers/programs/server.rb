require 'bundler/inline'
require 'digest'
require 'json'
require 'net/http'
require 'securerandom'

# Installs what is missing.
gemfile do
  source 'https://rubygems.org'
  gem 'jwt', '2.5.0'
  gem 'webrick', '1.8.1'
end

ISSUER = 'http://localhost:3000'
CLIENT_ID = 'YOUR_CLIENT_ID'
REDIRECT_URI = 'http://127.0.0.1:4000/callback'

def read(response)
  raise response.body unless response.is_a?(Net::HTTPSuccess)

  JSON.parse(response.body)
end

# Also renews tokens, with grant_type and refresh_token.
def request_tokens(form)
  credentials = ["#{CLIENT_ID}:#{ENV.fetch('CLIENT_SECRET')}"].pack('m0')
  headers = { 'Authorization' => "Basic #{credentials}" }
  read(Net::HTTP.post(URI("#{ISSUER}/oauth/token"), URI.encode_www_form(form), headers))
end

def sign_in_address(attempt)
  challenge = Digest::SHA256.base64digest(attempt[:verifier]).tr('+/', '-_').delete('=')
  "#{ISSUER}/oauth/authorize?" + URI.encode_www_form(
    response_type: 'code', client_id: CLIENT_ID, redirect_uri: REDIRECT_URI, scope: 'openid profile',
    state: attempt[:state], nonce: attempt[:nonce], code_challenge: challenge, code_challenge_method: 'S256'
  )
end

def finish_sign_in(callback, attempt)
  is_ours = callback['state'] == attempt[:state] && callback['iss'] == ISSUER
  raise "not the answer to this session's request" unless is_ours
  raise callback['error'] if callback['error']

  tokens = request_tokens(grant_type: 'authorization_code', code: callback['code'],
                          redirect_uri: REDIRECT_URI, code_verifier: attempt[:verifier])
  keys = read(Net::HTTP.get_response(URI("#{ISSUER}/oauth/jwks")))
  claims, = JWT.decode(tokens['id_token'], nil, true, algorithms: ['RS256'], jwks: keys,
                       iss: ISSUER, verify_iss: true, aud: CLIENT_ID, verify_aud: true)
  raise 'the ID token is of another request' unless claims['nonce'] == attempt[:nonce]

  claims['preferred_username']
end

# By session. Use your session store instead.
attempts = {}
people = {}

logger = WEBrick::Log.new($stderr, WEBrick::Log::WARN)
server = WEBrick::HTTPServer.new(BindAddress: '127.0.0.1', Port: 4000, Logger: logger, AccessLog: [])
server.mount_proc('/') do |request, response|
  session = request.cookies.find { |cookie| cookie.name == 'session' }&.value || SecureRandom.urlsafe_base64(32)
  response['Set-Cookie'] = "session=#{session}; HttpOnly; SameSite=Lax; Path=/"
  if request.path == '/callback' && attempts.key?(session)
    people[session] = finish_sign_in(request.query, attempts.delete(session))
    response.status = 302
    response['Location'] = '/'
  elsif people.key?(session)
    response.body = "Signed in as #{people[session]}"
  else
    attempts[session] = %i[state nonce verifier].to_h { |name| [name, SecureRandom.urlsafe_base64(32)] }
    response.status = 302
    response['Location'] = sign_in_address(attempts[session])
  end
rescue StandardError => error
  warn error.message
  response.status = 502
  response.body = 'Sign-in failed. Please try again.'
end

puts 'Open http://127.0.0.1:4000/'
$stdout.flush
server.start

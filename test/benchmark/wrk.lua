-- Sends the requests of a file in turn, over all connections. Each is a line with its length in bytes, and then the request.
local requests = {}
local sent = 0

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  for line in function() return file:read('*l') end do
    requests[#requests + 1] = file:read(tonumber(line))
  end
  file:close()
end

function request()
  sent = sent + 1
  return requests[(sent - 1) % #requests + 1]
end

# A shop's callback address: checks what comes and answers 200, also when it comes again.
require "socket"
require_relative "tender"

# The header signs all parameters; the control alone can be forged.
def genuine?(query, headers)
  seconds = headers["webhook-timestamp"].to_s
  return false unless seconds.match?(/\A\d{1,12}\z/) && (Time.now.to_i - seconds.to_i).abs <= 300

  signed = "#{headers["webhook-id"]}.#{seconds}.#{query}"
  expected = "v1,#{[OpenSSL::HMAC.digest("SHA256", KEY, signed)].pack("m0")}"
  headers["webhook-signature"].to_s.split.any? { |sent| OpenSSL.secure_compare(expected, sent) }
end

server = TCPServer.new("127.0.0.1", Integer(ARGV.fetch(0)))
loop do
  connection = server.accept
  query = connection.gets.to_s.split[1].to_s.split("?", 2)[1].to_s
  headers = {}
  until (line = connection.gets.to_s.strip).empty?
    name, value = line.split(":", 2)
    headers[name.downcase] = value.to_s.strip
  end
  is_genuine = genuine?(query, headers)
  if is_genuine
    # Find your order by orderid, and deliver nothing when its amount or currency differs.
    told = URI.decode_www_form(query).to_h
    puts "#{told["client_orderid"]} #{told["status"]}"
    $stdout.flush
  end
  connection.write("HTTP/1.1 #{is_genuine ? "200 OK" : "400 Bad Request"}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
  connection.close
end

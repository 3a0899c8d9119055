# A shop's callback address: checks what comes and answers 200, also when it comes again.
require "socket"
require_relative "tender"

server = TCPServer.new("127.0.0.1", Integer(ARGV.fetch(0)))
loop do
  connection = server.accept
  query = connection.gets.to_s.split[1].to_s.split("?", 2)[1].to_s
  nil until connection.gets.to_s.strip.empty?
  told = URI.decode_www_form(query).to_h
  expected = control(told["status"], told["orderid"], told["client_orderid"])
  is_genuine = OpenSSL.secure_compare(expected, told["control"].to_s)
  if is_genuine
    # Compare amount and currency with your order's before you deliver anything.
    puts "#{told["client_orderid"]} #{told["status"]}"
    $stdout.flush
  end
  connection.write("HTTP/1.1 #{is_genuine ? "200 OK" : "400 Bad Request"}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
  connection.close
end

package io.quorumlb.lbctl;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** One TCP connection and the little of HTTP/1.1 that an answer to a POST needs. Every wait ends with a budget. */
final class HttpWire implements AutoCloseable {
    private static final int LINE_MAX = 8 << 10;
    private static final int HEADERS_MAX = 100;
    private static final int BODY_MAX = 16 << 20;
    private static final int HEX = 16;
    private static final int INTERIM_END = 200;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] buffer = new byte[16 << 10];
    private int at;
    private int end;

    private HttpWire(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    /** Connects. */
    static HttpWire open(InetSocketAddress address, Budget budget) throws IOException {
        return new HttpWire(connect(address, budget));
    }

    /** Speaks over a socket that is connected. */
    static HttpWire over(Socket socket) throws IOException {
        return new HttpWire(socket);
    }

    /** Returns a connected socket. */
    static Socket connect(InetSocketAddress address, Budget budget) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(address, millis(budget));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends bytes. */
    void send(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    /** The head of an answer. */
    record Head(int status, SortedMap<String, String> headers) {
        /** Returns true if this is not yet the answer. */
        boolean interim() {
            return status < INTERIM_END;
        }

        String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    /**
     * Reads the next head.
     *
     * @throws ProtocolException if what comes is not HTTP/1.1
     */
    Head head(Budget budget) throws IOException {
        String line = line(budget);
        if (!line.matches("HTTP/1\\.[01] [1-5]\\d\\d( .*)?")) {
            throw new ProtocolException("does not speak HTTP/1.1");
        }
        int status = Integer.parseInt(line.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
        SortedMap<String, String> headers = new TreeMap<>();
        for (String header = line(budget); !header.isEmpty(); header = line(budget)) {
            int colon = header.indexOf(':');
            if (colon < 1 || headers.size() == HEADERS_MAX) {
                throw new ProtocolException("sent headers that cannot be read");
            }
            headers.put(
                    header.substring(0, colon).toLowerCase(Locale.ROOT),
                    header.substring(colon + 1).strip());
        }
        return new Head(status, headers);
    }

    /** Reads the body that follows the head of an answer. */
    ByteString body(Head head, Budget budget) throws IOException {
        if (head.header("transfer-encoding").equalsIgnoreCase("chunked")) {
            return chunks(budget);
        }
        String length = head.header("content-length");
        return length.isEmpty() ? rest(budget) : exactly(number(length, 10), budget);
    }

    private ByteString chunks(Budget budget) throws IOException {
        ByteString.Output body = ByteString.newOutput();
        while (true) {
            int length = number(line(budget).split(";", 2)[0].strip(), HEX);
            if (length == 0) {
                while (!line(budget).isEmpty()) {
                    // Trailers say nothing here.
                }
                return body.toByteString();
            }
            if (body.size() + length > BODY_MAX) {
                throw tooLong();
            }
            exactly(length, budget).writeTo(body);
            if (!line(budget).isEmpty()) {
                throw new ProtocolException("sent a chunk that does not end");
            }
        }
    }

    private ByteString exactly(int length, Budget budget) throws IOException {
        byte[] body = new byte[length];
        for (int read = 0; read < length; ) {
            if (at == end && !fill(budget)) {
                throw new IOException("ended early");
            }
            int part = Math.min(length - read, end - at);
            System.arraycopy(buffer, at, body, read, part);
            at += part;
            read += part;
        }
        return ByteString.copyFrom(body);
    }

    private ByteString rest(Budget budget) throws IOException {
        ByteString.Output body = ByteString.newOutput();
        while (at < end || fill(budget)) {
            body.write(buffer, at, end - at);
            at = end;
            if (body.size() > BODY_MAX) {
                throw tooLong();
            }
        }
        return body.toByteString();
    }

    private static int number(String digits, int radix) throws IOException {
        try {
            int number = Integer.parseInt(digits, radix);
            if (number >= 0 && number <= BODY_MAX) {
                return number;
            }
        } catch (NumberFormatException _) {
            throw new ProtocolException("sent a length that cannot be read");
        }
        throw tooLong();
    }

    private static ProtocolException tooLong() {
        return new ProtocolException("sent more than %d bytes".formatted(BODY_MAX));
    }

    private String line(Budget budget) throws IOException {
        var line = new StringBuilder();
        while (line.length() < LINE_MAX) {
            if (at == end && !fill(budget)) {
                throw line.isEmpty() ? new IOException("ended") : new ProtocolException("does not speak HTTP/1.1");
            }
            char next = (char) (buffer[at++] & 0xff);
            if (next == '\n') {
                int length = line.length();
                return length > 0 && line.charAt(length - 1) == '\r' ? line.substring(0, length - 1) : line.toString();
            }
            line.append(next);
        }
        throw new ProtocolException("does not speak HTTP/1.1");
    }

    /** Reads what there is, at least a byte; false at the end. */
    private boolean fill(Budget budget) throws IOException {
        socket.setSoTimeout(millis(budget));
        int read = in.read(buffer);
        at = 0;
        end = Math.max(0, read);
        return read > 0;
    }

    /** Returns what is left for one wait: zero would mean for ever. */
    static int millis(Budget budget) throws SocketTimeoutException {
        if (!budget.remaining().isPositive()) {
            throw new SocketTimeoutException("no time left");
        }
        return Math.clamp(budget.remaining().toMillis(), 1, Integer.MAX_VALUE);
    }

    /** Returns bytes of a head or of text between chunks. */
    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException _) {
            // It is gone either way.
        }
    }
}

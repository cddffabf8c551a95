package io.anabranch.app.bounds;

import io.anabranch.app.fixture.client.CommandProbe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Packets that no driver sends, for clients that want to use up a proxy's memory. */
final class HostilePackets {

  static final int MEBIBYTE = 1 << 20;
  static final int MAX_PAYLOAD = 0xFFFFFF;

  private HostilePackets() {}

  static byte[] command(int code, int statement, int rest) {
    return ByteBuffer.allocate(7 + rest)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) code)
        .putInt(statement)
        .array();
  }

  static int prepare(CommandProbe probe, String sql, int packetsBehind) throws IOException {
    probe.send(("\u0016" + sql).getBytes(StandardCharsets.UTF_8));
    byte[] answer = probe.receive();
    if (answer[0] != 0) {
      throw new IOException(new String(answer, StandardCharsets.UTF_8));
    }
    for (int i = 0; i < packetsBehind; i++) {
      probe.receive();
    }
    return ByteBuffer.wrap(answer).order(ByteOrder.LITTLE_ENDIAN).getInt(1);
  }

  static byte[] header(int length, int sequence) {
    return new byte[] {(byte) length, (byte) (length >> 8), (byte) (length >> 16), (byte) sequence};
  }

  static byte[] compressed(int sequence, byte[] bytes, int offset, int length) {
    var deflater = new Deflater();
    deflater.setInput(bytes, offset, length);
    deflater.finish();
    var out = new ByteArrayOutputStream();
    byte[] buffer = new byte[8192];
    while (!deflater.finished()) {
      out.write(buffer, 0, deflater.deflate(buffer));
    }
    deflater.end();
    var packet = new ByteArrayOutputStream();
    packet.writeBytes(header(out.size(), sequence));
    packet.writeBytes(header(length, 0));
    byte[] all = packet.toByteArray();
    byte[] result = Arrays.copyOf(all, 7 + out.size());
    System.arraycopy(out.toByteArray(), 0, result, 7, out.size());
    return result;
  }

  /** Three compressed parts of a command of 48 MiB that never ends: a few kilobytes on the wire. */
  static void sendUnfinished(CommandProbe probe) throws IOException {
    byte[] part = new byte[4 + MAX_PAYLOAD];
    for (int n = 0; n < 3; n++) {
      System.arraycopy(header(MAX_PAYLOAD, n), 0, part, 0, 4);
      probe.raw(compressed(2 * n, part, 0, MAX_PAYLOAD));
      probe.raw(compressed(2 * n + 1, part, MAX_PAYLOAD, 4));
    }
  }

  /** What a short compressed packet holds, header of the packet inside it included. */
  static byte[] uncompressed(CommandProbe probe) throws IOException {
    byte[] packet = probe.exactly(7);
    int length = (packet[0] & 0xFF) | (packet[1] & 0xFF) << 8 | (packet[2] & 0xFF) << 16;
    int before = (packet[4] & 0xFF) | (packet[5] & 0xFF) << 8 | (packet[6] & 0xFF) << 16;
    byte[] body = probe.exactly(length);
    if (before == 0) {
      return body;
    }
    var inflater = new Inflater();
    inflater.setInput(body);
    byte[] all = new byte[before];
    try {
      inflater.inflate(all);
    } catch (DataFormatException e) {
      throw new IOException(e);
    } finally {
      inflater.end();
    }
    return all;
  }
}

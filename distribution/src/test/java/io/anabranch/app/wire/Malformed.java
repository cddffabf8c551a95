package io.anabranch.app.wire;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Makes bytes that clients should not send, the same ones for the same seed. */
final class Malformed {

  private static final List<String> STATEMENTS =
      List.of(
          "SELECT 1",
          "SELECT * FROM t WHERE id = ? AND text LIKE 'a%'",
          "INSERT INTO t VALUES (1, 'x'), (2, \"y\")",
          "SET NAMES utf8mb4; SELECT @@version, @a := 1",
          "BEGIN; UPDATE t SET text = 'z' WHERE id = 3; ROLLBACK",
          "/* hint */ SELECT (SELECT COUNT(*) FROM t) /*!50000 + 1 */ -- end",
          "SHOW TABLES LIKE 't%'",
          "PREPARE s FROM 'SELECT ?'; EXECUTE s USING @a; DEALLOCATE PREPARE s");

  /** COM_QUIT, COM_SHUTDOWN and the like are as good as any. */
  private static final int COMMANDS = 0x22;

  private static final int COM_QUERY = 0x03;
  private static final int COM_CHANGE_USER = 0x11;
  private static final int COM_STMT_PREPARE = 0x16;
  private static final int COM_STMT_EXECUTE = 0x17;
  private static final int COM_STMT_SEND_LONG_DATA = 0x18;

  private final Random random;

  Malformed(long seed) {
    random = new Random(seed);
  }

  /** What comes instead of an answer to the greeting. */
  byte[] handshake() {
    return switch (random.nextInt(4)) {
      case 0 -> noise(200);
      case 1 -> packet(1, noise(100));
      case 2 -> packet(1, changed(response()));
      default -> joined(packet(1, response()), packet(random.nextInt(5), noise(60)));
    };
  }

  /** A handshake response with a wrong password. */
  private byte[] response() {
    byte[] head = new byte[32];
    random.nextBytes(head);
    if (random.nextBoolean()) {
      // PROTOCOL_41, SECURE_CONNECTION, PLUGIN_AUTH, CONNECT_WITH_DB, CONNECT_ATTRS
      int capabilities = 0x0018_8208;
      for (int i = 0; i < 4; i++) {
        head[i] = (byte) (capabilities >> (8 * i));
      }
    }
    byte[] tail =
        "app\0\u0014aaaaaaaaaaaaaaaaaaaafuzz\0mysql_native_password\0\u0006\u0001a\u0003bcd"
            .getBytes(StandardCharsets.ISO_8859_1);
    return joined(head, tail);
  }

  /** One or a few packets of a client that has logged in. */
  byte[] commands() {
    var all = new ByteArrayOutputStream();
    for (int i = random.nextInt(4); i >= 0; i--) {
      int sequence = random.nextInt(8) == 0 ? random.nextInt(256) : 0;
      byte[] packet = packet(sequence, command());
      if (random.nextInt(12) == 0) {
        // a length that is not the payload's
        packet[random.nextInt(3)] = (byte) random.nextInt(256);
      }
      all.writeBytes(packet);
    }
    return random.nextInt(10) == 0 ? changed(all.toByteArray()) : all.toByteArray();
  }

  private byte[] command() {
    return switch (random.nextInt(7)) {
      case 0 -> new byte[0];
      case 1 -> with(random.nextInt(COMMANDS), noise(40));
      case 2 -> with(COM_QUERY, random.nextBoolean() ? changed(statement()) : longStatement());
      case 3 -> with(COM_STMT_PREPARE, changed(statement()));
      case 4 -> with(COM_STMT_EXECUTE, joined(statementId(), noise(60)));
      case 5 -> with(COM_STMT_SEND_LONG_DATA, joined(statementId(), noise(20)));
      default -> with(COM_CHANGE_USER, changed(response()));
    };
  }

  private byte[] statement() {
    return STATEMENTS.get(random.nextInt(STATEMENTS.size())).getBytes(StandardCharsets.UTF_8);
  }

  /** Some packets are too long to be copied. */
  private byte[] longStatement() {
    return ("/*" + "x".repeat(random.nextInt(20_000)) + "*/ SELECT '")
        .concat(random.nextBoolean() ? "'" : "")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Often one that there is. */
  private byte[] statementId() {
    return new byte[] {(byte) random.nextInt(3), 0, 0, 0};
  }

  /** A few bytes are others, doubled or gone. */
  private byte[] changed(byte[] bytes) {
    byte[] result = bytes;
    for (int i = random.nextInt(4); i > 0 && result.length > 0; i--) {
      int at = random.nextInt(result.length);
      switch (random.nextInt(3)) {
        case 0 -> {
          result = result.clone();
          result[at] = (byte) random.nextInt(256);
        }
        case 1 -> result = Arrays.copyOf(result, at);
        default ->
            result = joined(Arrays.copyOf(result, at), Arrays.copyOfRange(result, at / 2, at));
      }
    }
    return result;
  }

  private byte[] noise(int most) {
    byte[] bytes = new byte[random.nextInt(most)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] with(int first, byte[] rest) {
    return joined(new byte[] {(byte) first}, rest);
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static byte[] packet(int sequence, byte[] payload) {
    byte[] header = {
      (byte) payload.length,
      (byte) (payload.length >> 8),
      (byte) (payload.length >> 16),
      (byte) sequence
    };
    return joined(header, payload);
  }
}

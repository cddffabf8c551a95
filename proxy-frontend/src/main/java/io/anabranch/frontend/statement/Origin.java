package io.anabranch.frontend.statement;

import io.anabranch.protocol.command.QueryAttributes;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Who has asked, as a comment for databases: {@code /* user@client traceparent *}{@code /}. Of what
 * clients name themselves only letters, digits and few signs are left, so that no name ends the
 * comment or means something to a server.
 */
public final class Origin {

  private static final int LONGEST_NAME = 80;

  private Origin() {}

  /**
   * The comment and a blank behind it; ASCII.
   *
   * @param client its address and port
   * @param ofCommand what the client sent along with its command
   * @param ofClient what it said of itself when it connected
   */
  public static byte[] comment(
      String user,
      String client,
      QueryAttributes ofCommand,
      Charset charset,
      Map<String, String> ofClient) {
    var text = new StringBuilder("/* ");
    append(text, user);
    text.append('@');
    append(text, client);
    String trace = TraceParent.of(ofCommand, charset, ofClient);
    if (trace != null) {
      text.append(' ').append(trace);
    }
    return text.append(" */ ").toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static void append(StringBuilder text, String name) {
    int length = Math.min(name.length(), LONGEST_NAME);
    for (int i = 0; i < length; i++) {
      char each = name.charAt(i);
      text.append(isPlain(each) ? each : '_');
    }
  }

  private static boolean isPlain(char each) {
    return (each >= '0' && each <= '9')
        || (each >= 'A' && each <= 'Z')
        || (each >= 'a' && each <= 'z')
        || each == '.'
        || each == ':'
        || each == '-'
        || each == '_';
  }
}

package io.anabranch.frontend.statement;

import io.anabranch.protocol.command.QueryAttributes;
import io.anabranch.protocol.command.QueryAttributes.Attribute;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The trace that a client's statement belongs to, as the client says: by a query attribute, a
 * comment of its text, or an attribute of its connection.
 *
 * <p>See <a href="https://www.w3.org/TR/trace-context/#traceparent-header">W3C</a> and, of
 * comments, <a href="https://google.github.io/sqlcommenter/spec/">sqlcommenter</a>.
 */
public final class TraceParent {

  private static final String NAME = "traceparent";
  private static final String FORM = "[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}";
  private static final Pattern WHOLE = Pattern.compile(FORM);
  private static final Pattern IN_COMMENT = Pattern.compile(NAME + "='(" + FORM + ")'");

  /** Comments of this kind stand at the beginning of a text, or at its end. */
  private static final int LOOKED_AT = 1024;

  private TraceParent() {}

  /**
   * @param ofCommand what the client sent along with its command
   * @param ofClient what it said of itself when it connected
   * @return null: it says nothing, or nothing that has the form
   */
  public static @Nullable String of(
      QueryAttributes ofCommand, Charset charset, Map<String, String> ofClient) {
    String told = attribute(ofCommand, charset);
    return wellFormed(told == null ? ofClient.get(NAME) : told);
  }

  /**
   * The same where comments count, too: more than what was said when the client connected.
   *
   * @param start of the statement in {@code sql}
   * @param end of it
   */
  public static @Nullable String of(
      QueryAttributes ofCommand,
      Charset charset,
      Map<String, String> ofClient,
      byte[] sql,
      int start,
      int end) {
    String told = wellFormed(attribute(ofCommand, charset));
    if (told == null) {
      told = comment(sql, Math.max(start, end - LOOKED_AT), Math.min(sql.length, end + LOOKED_AT));
    }
    if (told == null) {
      told = comment(sql, start, Math.min(sql.length, start + LOOKED_AT));
    }
    return told == null ? wellFormed(ofClient.get(NAME)) : told;
  }

  private static @Nullable String comment(byte[] sql, int from, int to) {
    Matcher found =
        IN_COMMENT.matcher(new String(sql, from, to - from, StandardCharsets.ISO_8859_1));
    return found.find() ? found.group(1) : null;
  }

  private static @Nullable String wellFormed(@Nullable String told) {
    return told != null && WHOLE.matcher(told).matches() ? told : null;
  }

  /** Its length stands in the first byte: what has the form is short. */
  private static @Nullable String attribute(QueryAttributes ofCommand, Charset charset) {
    Attribute attribute = ofCommand.isEmpty() ? null : ofCommand.find(NAME, charset);
    byte[] value = attribute == null ? null : attribute.value();
    return value == null || value.length == 0 || value[0] != value.length - 1
        ? null
        : new String(value, 1, value.length - 1, StandardCharsets.US_ASCII);
  }
}

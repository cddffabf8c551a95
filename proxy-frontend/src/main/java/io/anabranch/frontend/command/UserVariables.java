package io.anabranch.frontend.command;

import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.type.Collation;
import java.nio.charset.Charset;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Values of a session's user variables, which it keeps as SQL text. */
final class UserVariables {

  private UserVariables() {}

  /**
   * A literal of the same value: plain text where the session's character set has it, so that the
   * planner can route by it.
   *
   * @param name lower case
   */
  static String literal(Session session, String name) {
    String kept = kept(session, name);
    String text = text(kept);
    if (text == null || kept.indexOf('\'') < 0 || kept.startsWith("x'")) {
      return kept;
    }
    return session.charset().newEncoder().canEncode(text)
        ? SpliceParameters.quoted(text, session)
        : kept;
  }

  /** The value as a string; null for NULL, and for bytes that are no text. */
  static @Nullable String text(Session session, String name) {
    return text(kept(session, name));
  }

  private static String kept(Session session, String name) {
    String key = "@`" + name.replace("`", "``") + "`";
    return session.settings().variables().getOrDefault(key, "NULL");
  }

  /** Reads {@code NULL}, {@code 1.5}, {@code x'..'} and {@code _utf8mb4 x'..' COLLATE …}. */
  private static @Nullable String text(String kept) {
    if (kept.equals("NULL")) {
      return null;
    }
    int open = kept.indexOf("x'");
    if (open < 0) {
      return kept;
    }
    byte[] bytes = HexFormat.of().parseHex(kept, open + 2, kept.indexOf('\'', open + 2));
    Collation collation =
        open == 0 ? null : Collation.byName(kept.substring(kept.lastIndexOf(' ') + 1));
    Charset charset = collation == null ? null : collation.charset();
    return charset == null ? null : new String(bytes, charset);
  }
}

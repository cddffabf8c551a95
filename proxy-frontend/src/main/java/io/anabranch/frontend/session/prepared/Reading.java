package io.anabranch.frontend.session.prepared;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.Scan;
import java.nio.charset.Charset;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the texts of statements are read. What a client has prepared goes on being read as it was
 * then, whatever the session has said since.
 *
 * @param settings {@link SessionSettings#reading}: what a server reads by
 * @param charset of texts
 * @param mode of the lexer
 */
public record Reading(SessionSettings settings, Charset charset, LexerMode mode) {

  /** Whether a statement's text is read by the same rules in both. */
  public boolean agrees(Reading other, Scan statement) {
    return settings.readsAs(other.settings)
        || (mode.readsAsciiAs(other.mode)
            && Objects.equals(sqlMode(), other.sqlMode())
            && statement.isAscii()
            && !hasString(statement));
  }

  private @Nullable String sqlMode() {
    return settings.variables().get("sql_mode");
  }

  /** A string has the collation of the connection, and is converted to its character set. */
  private static boolean hasString(Scan statement) {
    for (int i = 0; i < statement.slotCount(); i++) {
      if (statement.slotKind(i) == Scan.SlotKind.STRING) {
        return true;
      }
    }
    return false;
  }
}

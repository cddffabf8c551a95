package io.anabranch.frontend.current;

import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.syntax.qualifier.SchemaMention;
import io.anabranch.rules.syntax.qualifier.SchemaMentions;
import org.jspecify.annotations.Nullable;

/** SHOW and DESCRIBE are about the database that they name, wherever the session is. */
public final class NamedDatabase {

  private NamedDatabase() {}

  /**
   * @return null if the statement names none of the proxy's databases, or is about no database
   * @throws RefusedException 1044 if the user may not see it
   */
  public static @Nullable Backend of(CurrentStatement statement, Session session) {
    StatementKind kind = statement.scan().kind();
    if (kind != StatementKind.SHOW && kind != StatementKind.DESCRIBE) {
      return null;
    }
    SqlTokens tokens = statement.source().tokens();
    Backend named = null;
    for (SchemaMention mention : SchemaMentions.of(tokens)) {
      boolean isAbout = kind == StatementKind.SHOW || mention.token() == 1;
      if (isAbout && mention.isSchema()) {
        // the last one counts: SHOW COLUMNS FROM a.t FROM b
        String name = tokens.name(mention.token());
        named =
            session.deployment().backend(name) == null ? null : session.database().permitted(name);
      }
    }
    return named;
  }
}

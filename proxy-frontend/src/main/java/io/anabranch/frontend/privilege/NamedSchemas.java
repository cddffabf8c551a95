package io.anabranch.frontend.privilege;

import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.syntax.qualifier.SchemaMention;
import io.anabranch.rules.syntax.qualifier.SchemaMentions;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * The databases that a statement names: each must be the user's own. A name of two parts may be an
 * alias and its column; where the tokens leave that in doubt the statement is refused.
 */
final class NamedSchemas {

  static final String INFORMATION_SCHEMA = "information_schema";

  private final SqlTokens tokens;
  private final Session session;
  private final Predicate<String> own;

  /**
   * @param own whether a name is the current logical database's, or its schema's on the server
   */
  NamedSchemas(SqlTokens tokens, Session session, Predicate<String> own) {
    this.tokens = tokens;
    this.session = session;
    this.own = own;
  }

  /**
   * Looks at all of them.
   *
   * @throws io.anabranch.rules.error.RefusedException 1044
   */
  void check() {
    boolean defines = tokens.isWord(0, "CREATE");
    for (SchemaMention mention : SchemaMentions.of(tokens)) {
      String name = tokens.name(mention.token()).toLowerCase(Locale.ROOT);
      boolean isRow = defines && (name.equals("new") || name.equals("old"));
      boolean isAlias = mention.reading() == SchemaMention.Reading.COLUMN && mention.isDeclared();
      if (LogicalDatabase.isSystemSchema(name) || (!isAlias && !isRow)) {
        check(name);
      }
    }
  }

  /**
   * @param schema in lower case; the planner looks after {@code information_schema}
   */
  void check(String schema) {
    if (schema.equals(INFORMATION_SCHEMA) || own.test(schema)) {
      return;
    }
    boolean logical = session.deployment().backend(schema) != null;
    if (logical && session.database().isPermitted(schema)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a table of another logical database (" + schema + ")", "USE that database first");
    }
    throw ErrorCatalogue.DATABASE_ACCESS_DENIED.refuse(
        session.user().name(), session.clientHost(), schema);
  }
}

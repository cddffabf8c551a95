package io.anabranch.frontend.current;

import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.right.Privilege;
import io.anabranch.rules.syntax.qualifier.SchemaMention;
import io.anabranch.rules.syntax.qualifier.SchemaMentions;
import java.util.List;
import java.util.Locale;

/**
 * CREATE, ALTER and DROP DATABASE, whatever the session's current database is. A database of the
 * proxy is one that a file describes, or one whose name the rule !CREATE_DATABASE of a pass-through
 * database has: of no other is anything made that clients could not use.
 *
 * @param name as the statement has it
 * @param on whose data sources run it
 * @param isByRule whether the database is in no file
 */
public record DatabaseStatement(StatementKind verb, String name, Backend on, boolean isByRule) {

  /** Whether it is one, of whatever database. */
  public static boolean is(StatementKind kind, SqlTokens tokens) {
    return switch (kind) {
      case CREATE, ALTER, DROP -> {
        int noun = noun(tokens);
        yield tokens.isWord(noun, "DATABASE") || tokens.isWord(noun, "SCHEMA");
      }
      default -> false;
    };
  }

  private static int noun(SqlTokens tokens) {
    return tokens.isWord(1, "OR") && tokens.isWord(2, "REPLACE") ? 3 : 1;
  }

  /** Whether it says which database: ALTER DATABASE may be of the current one. */
  public static boolean isNamed(SqlTokens tokens) {
    return !mentions(tokens).isEmpty();
  }

  private static List<SchemaMention> mentions(SqlTokens tokens) {
    return SchemaMentions.of(tokens);
  }

  /**
   * @param tokens of a statement that {@link #is} one and {@link #isNamed}
   * @throws RefusedException if it is of no database of the proxy, or none of the user's
   */
  public static DatabaseStatement of(StatementKind verb, SqlTokens tokens, Session session) {
    String name = tokens.name(mentions(tokens).getFirst().token());
    Deployment deployment = session.deployment();
    Backend present = deployment.backend(name);
    Backend creator = deployment.creator(name);
    boolean isConfigured = present != null && (creator == null || !isCreated(present, creator));
    if (isConfigured) {
      return configured(verb, name, session.database().permitted(name));
    }
    if (creator == null) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          verb + " DATABASE of '" + name + "'",
          "administrators CREATE and DROP databases of the proxy, or add or remove a"
              + " database-*.yaml; or list the name in a rule !CREATE_DATABASE of the pass-through"
              + " database on whose data source clients shall create it");
    }
    if (!session.database().isPermitted(name)
        || !session.user().grants().allow(privilege(verb), name)
        || !creator.database().creation().isOpenTo(session.user().name())) {
      throw ErrorCatalogue.DATABASE_ACCESS_DENIED.refuse(
          session.user().name(), session.clientHost(), name);
    }
    if (present != null && !present.database().name().equals(name)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          verb + " DATABASE of '" + name + "' beside '" + present.database().name() + "'",
          "names of databases are compared without case");
    }
    return new DatabaseStatement(verb, name, creator, true);
  }

  private static Privilege privilege(StatementKind verb) {
    return switch (verb) {
      case CREATE -> Privilege.CREATE;
      case DROP -> Privilege.DROP;
      default -> Privilege.ALTER;
    };
  }

  /** Whether no file describes it. */
  private static boolean isCreated(Backend present, Backend creator) {
    return !present.equals(creator) && present.topology().equals(creator.topology());
  }

  private static DatabaseStatement configured(StatementKind verb, String name, Backend named) {
    if (named.database().isPassThrough()) {
      return new DatabaseStatement(verb, name, named, false);
    }
    throw ErrorCatalogue.NOT_SUPPORTED.refuse(
        verb + " DATABASE of '" + name.toLowerCase(Locale.ROOT) + "', which a file describes,",
        "administrators DROP it from the configuration; run the rest on the data sources"
            + " themselves");
  }
}

package io.anabranch.frontend.privilege;

import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.need.NeededRights;
import io.anabranch.rules.right.Grants;
import io.anabranch.rules.right.Need;
import io.anabranch.rules.right.Privilege;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Compares what a statement needs with what its user is granted; refuses in MySQL's words. */
final class GrantedRights {

  /** What is done to the rows of a view's table through the view. */
  private static final List<Privilege> CHANGES =
      List.of(Privilege.INSERT, Privilege.UPDATE, Privilege.DELETE);

  private final Session session;
  private final Grants grants;
  private final String current;
  private final Predicate<String> own;

  /**
   * @param current the logical database that names without a schema are of
   * @param own whether a schema is what the server calls that database
   */
  GrantedRights(Session session, Grants grants, String current, Predicate<String> own) {
    this.session = session;
    this.grants = grants;
    this.current = current;
    this.own = own;
  }

  /**
   * @throws RefusedException 1142, 1044, 1370; 1227 for what nobody is granted
   */
  void check(StatementKind kind, SqlTokens tokens) {
    NeededRights.of(kind, tokens).forEach(this::check);
  }

  private void check(Need need) {
    if (isOfCatalogue(need.schema())) {
      return;
    }
    String database = database(need.schema());
    switch (need) {
      case Need.OnTable(Privilege privilege, var _, String table) -> {
        if (!grants.allow(privilege, database, table)) {
          throw denied(privilege, database, table);
        }
      }
      case Need.Sight(var _, String table) -> {
        if (!grants.reach(database, table)) {
          throw denied(Privilege.SELECT, database, table);
        }
      }
      case Need.OnDatabase(Privilege privilege, var _) -> {
        if (!grants.allow(privilege, database)) {
          throw denied(database);
        }
      }
      case Need.Routine(var _, String name) -> {
        if (!grants.allow(Privilege.EXECUTE, database)) {
          throw ErrorCatalogue.ROUTINE_DENIED.refuse(
              session.user().name(), accountHost(), database, name);
        }
      }
      case Need.Everything _ -> {
        if (!grants.allowEverything(database)) {
          throw denied(database);
        }
      }
      case Need.Through(var viewSchema, String view, var _, String table) -> {
        for (Privilege change : CHANGES) {
          if (grants.allow(change, database(viewSchema), view)
              && !grants.allow(change, database, table)) {
            throw denied(change, database, table);
          }
        }
      }
    }
  }

  private static boolean isOfCatalogue(@Nullable String schema) {
    return schema != null && schema.equalsIgnoreCase(NamedSchemas.INFORMATION_SCHEMA);
  }

  /** The logical database that a statement means by the name. */
  private String database(@Nullable String schema) {
    if (schema == null) {
      return current;
    }
    Backend named = session.deployment().backend(schema);
    if (named != null) {
      return named.database().name();
    }
    return own.test(schema) ? current : schema;
  }

  private RefusedException denied(Privilege privilege, String database, String table) {
    return ErrorCatalogue.TABLE_DENIED.refuse(
        privilege.words(), session.user().name(), session.clientHost(), database, table);
  }

  private RefusedException denied(String database) {
    return ErrorCatalogue.DATABASE_ACCESS_DENIED.refuse(
        session.user().name(), accountHost(), database);
  }

  /** Servers name the account here, where a table is denied the client's address. */
  private String accountHost() {
    String host = session.user().host();
    return host.isEmpty() ? "%" : host;
  }
}

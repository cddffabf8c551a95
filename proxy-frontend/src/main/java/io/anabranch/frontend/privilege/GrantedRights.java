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
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares what a statement needs with what its user is granted; refuses in MySQL's words. */
final class GrantedRights {

  /** What is done to the rows of a view's table through the view. */
  private static final List<Privilege> CHANGES =
      List.of(Privilege.INSERT, Privilege.UPDATE, Privilege.DELETE);

  /** Who has one of them is told how a table is made; servers leave the one for history out. */
  private static final Set<Privilege> OF_DEFINITIONS =
      Set.copyOf(
          EnumSet.complementOf(
              EnumSet.of(
                  Privilege.CREATE_TEMPORARY_TABLES,
                  Privilege.LOCK_TABLES,
                  Privilege.EXECUTE,
                  Privilege.CREATE_ROUTINE,
                  Privilege.ALTER_ROUTINE,
                  Privilege.EVENT,
                  Privilege.DELETE_HISTORY)));

  /** MySQL's, for rows that a read locks. */
  private static final Set<Privilege> LOCKING =
      Set.of(Privilege.UPDATE, Privilege.DELETE, Privilege.LOCK_TABLES);

  private final Session session;
  private final Grants grants;
  private final KnownNames names;

  GrantedRights(Session session, Grants grants, KnownNames names) {
    this.session = session;
    this.grants = grants;
    this.names = names;
  }

  /**
   * @throws RefusedException 1142, 1044, 1345, 1370; 1227 for what nobody is granted
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
      case Need.Definition(var _, String table) -> {
        if (!grants.allowAny(OF_DEFINITIONS, database, table)) {
          throw denied("SHOW", database, table);
        }
        if (!maySeeThrough(database, table)) {
          throw denied(Privilege.SHOW_VIEW, database, table);
        }
      }
      case Need.Explanation(var _, String table) -> {
        boolean mayRead = grants.allow(Privilege.SELECT, database, table);
        boolean isTold = mayRead && grants.allow(Privilege.SHOW_VIEW, database, table);
        if (!isTold && names.views().test(table)) {
          throw ErrorCatalogue.EXPLANATION_DENIED.refuse();
        }
      }
      case Need.Locked(var _, String table) -> {
        if (!session.deployment().isMariaDb() && !grants.allowAny(LOCKING, database, table)) {
          throw denied("SELECT, LOCK TABLES", database, table);
        }
      }
      case Need.OnDatabase(Privilege privilege, var _) -> {
        if (!grants.allow(privilege, database)) {
          throw denied(database);
        }
      }
      case Need.Routine(Privilege privilege, var _, String name) -> {
        if (!grants.allow(privilege, database)) {
          String words = privilege.words().toLowerCase(Locale.ROOT);
          throw ErrorCatalogue.ROUTINE_DENIED.refuse(
              words, session.user().name(), accountHost(), database, name);
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

  /** Whether a table is no view, or one whose query the user may see. */
  private boolean maySeeThrough(String database, String table) {
    return grants.allow(Privilege.SHOW_VIEW, database, table) || !names.views().test(table);
  }

  private static boolean isOfCatalogue(@Nullable String schema) {
    return schema != null && schema.equalsIgnoreCase(NamedSchemas.INFORMATION_SCHEMA);
  }

  /** The logical database that a statement means by the name. */
  private String database(@Nullable String schema) {
    if (schema == null) {
      return names.database();
    }
    Backend named = session.deployment().backend(schema);
    if (named != null) {
      return named.database().name();
    }
    return names.own().test(schema) ? names.database() : schema;
  }

  private RefusedException denied(Privilege privilege, String database, String table) {
    return denied(privilege.words(), database, table);
  }

  private RefusedException denied(String words, String database, String table) {
    return ErrorCatalogue.TABLE_DENIED.refuse(
        words, session.user().name(), session.clientHost(), database, table);
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

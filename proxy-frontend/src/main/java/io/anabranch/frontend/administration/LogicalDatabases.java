package io.anabranch.frontend.administration;

import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.config.document.ConfigurationDocument;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.right.Privilege;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * CREATE DATABASE and DROP DATABASE where they are about the configuration: a database of the proxy
 * comes, with nothing in it, or goes; servers keep what they have. Where the rule !CREATE_DATABASE
 * has the name they are the servers', and so are those of users who are no administrators.
 */
final class LogicalDatabases {

  private static final String UNLESS_THERE = "IF NOT EXISTS";
  private static final String IF_THERE = "IF EXISTS";
  private static final String NAME = "name";
  private static final int LONGEST_NAME = 64;

  private LogicalDatabases() {}

  static List<Form> forms() {
    return Stream.of("DATABASE", "SCHEMA")
        .flatMap(
            word ->
                Stream.of(
                    Form.change(
                        "CREATE " + word + " [" + UNLESS_THERE + "] " + NAME + " …",
                        Form.Access.ADMIN,
                        List.of(),
                        LogicalDatabases::create),
                    Form.change(
                        "DROP " + word + " [" + IF_THERE + "] " + NAME,
                        Form.Access.ADMIN,
                        List.of(),
                        LogicalDatabases::drop)))
        .toList();
  }

  /** Whether the statement is about the configuration. On the session's event loop. */
  static boolean concerns(Request request) {
    Session session = request.session();
    Deployment deployment = session.deployment();
    String name = request.given(NAME);
    boolean isName =
        switch (request.match().tokens().kind(request.match().rest() - 1)) {
          case WORD, QUOTED -> true;
          default -> false;
        };
    if (!isName || deployment.creator(name) != null) {
      return false;
    }
    if (request.match().tokens().isWord(0, "DROP")) {
      return session.user().admin();
    }
    Backend present = deployment.backend(name);
    // tools of applications create what is there, if it is not there
    return present == null
        ? session.user().admin()
        : !present.database().isPassThrough()
            && (session.user().admin() || mayUse(session, Privilege.CREATE, name));
  }

  // ---------------------------------------------------------------- CREATE

  private static List<List<String>> create(Request request) {
    String name = request.given(NAME);
    requireRight(request, Privilege.CREATE);
    if (request.session().deployment().backend(name) == null) {
      requireUsable(request, name);
      var notes = new ArrayList<List<String>>();
      request
          .control()
          .change(
              all -> {
                notes.clear();
                if (all.database(name) == null) {
                  return all.plus(ConfigurationDocument.of("", "").with(name, "databaseName"));
                }
                notes.addAll(isThere(request, name));
                return all;
              },
              request.author());
      return notes;
    }
    return isThere(request, name);
  }

  private static List<List<String>> isThere(Request request, String name) {
    return lenient(request, UNLESS_THERE, ErrorCatalogue.DATABASE_EXISTS.refuse(name));
  }

  private static void requireUsable(Request request, String name) {
    if (request.match().rest() < request.match().tokens().size()) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "an option of CREATE DATABASE for '" + name + "', which has no data source yet,",
          "leave it out: character sets and collations are the data sources'");
    }
    if (name.codePointCount(0, name.length()) > LONGEST_NAME) {
      throw ErrorCatalogue.NAME_TOO_LONG.refuse(name);
    }
    if (name.isBlank() || !name.strip().equals(name)) {
      throw new ConfigurationRefusedException(
          List.of("the name of a database is not empty, and has no blanks at its ends"));
    }
  }

  // ---------------------------------------------------------------- DROP

  private static List<List<String>> drop(Request request) {
    String name = request.given(NAME);
    Session session = request.session();
    requireRight(request, Privilege.DROP);
    var notes = new ArrayList<List<String>>();
    request
        .control()
        .change(
            all -> {
              notes.clear();
              ConfigurationDocument gone = all.database(name);
              if (gone != null) {
                return all.minus(gone);
              }
              notes.addAll(
                  lenient(request, IF_THERE, ErrorCatalogue.NO_DATABASE_TO_DROP.refuse(name)));
              return all;
            },
            request.author());
    Backend former = session.deployment().backend(name);
    if (former != null) {
      session.database().dropped(former.database().name());
    }
    return notes;
  }

  // ---------------------------------------------------------------- both

  private static void requireRight(Request request, Privilege privilege) {
    Session session = request.session();
    String name = request.given(NAME);
    if (!mayUse(session, privilege, name)) {
      throw ErrorCatalogue.DATABASE_ACCESS_DENIED.refuse(
          session.user().name(), session.clientHost(), name);
    }
  }

  private static boolean mayUse(Session session, Privilege privilege, String name) {
    return session.database().isPermitted(name) && session.user().grants().allow(privilege, name);
  }

  /** The error, as a note where the statement says that it does not matter. */
  private static List<List<String>> lenient(
      Request request, String words, RefusedException refusal) {
    if (!request.has(words)) {
      throw refusal;
    }
    return List.of(
        List.of("Note", Integer.toString(refusal.errno()), String.valueOf(refusal.getMessage())));
  }
}

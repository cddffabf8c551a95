package io.anabranch.frontend.administration;

import io.anabranch.frontend.administration.definition.Account;
import io.anabranch.frontend.administration.definition.AccountReader;
import io.anabranch.frontend.configuration.ConfigurationControl;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.config.document.ConfigurationDocument;
import io.anabranch.rules.config.document.ConfigurationDocuments;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.LogicalDatabase;
import org.jspecify.annotations.Nullable;

/**
 * A statement of administration and who wants it.
 *
 * @param backend the database that it names with {@code FROM}, else the selected one; null: there
 *     is none
 */
record Request(Session session, Match match, @Nullable Backend backend) {

  /** What {@code FROM} is followed by, in forms that are about a database. */
  static final String DATABASE = "database";

  /**
   * The same, on the session's event loop.
   *
   * @throws io.anabranch.rules.error.RefusedException if the user may not use the database, or
   *     there is none of that name
   */
  static Request of(Session session, Match match) {
    String named = match.get(DATABASE);
    return new Request(
        session,
        match,
        named == null ? session.database().selected() : session.database().permitted(named));
  }

  ConfigurationControl control() {
    return session.deployment().control();
  }

  /** Who wants it, for the history. */
  String author() {
    return session.clientAccount();
  }

  /**
   * The database that it is about.
   *
   * @throws io.anabranch.rules.error.RefusedException if none is named or selected
   */
  LogicalDatabase database() {
    return served().database();
  }

  /** The same with what serves it. */
  Backend served() {
    if (backend == null) {
      throw ErrorCatalogue.NO_DATABASE_SELECTED.refuse();
    }
    return backend;
  }

  /** Reads it as a statement on accounts. */
  AccountReader accounts() {
    return new AccountReader(
        match.tokens(),
        match.mode(),
        Account.of(session.user()),
        backend == null ? null : backend.database().name());
  }

  /**
   * Whether it is about accounts of the proxy, by who may change them: others are the databases'
   * own. A new one is the proxy's, because its client would log in here.
   */
  boolean isOfOwnAccounts() {
    Authority authority = session.deployment().rules().authority();
    boolean isKnown =
        accounts().accounts().stream().anyMatch(account -> account.user(authority) != null);
    return session.user().admin() && (match.tokens().isWord(0, "CREATE") || isKnown);
  }

  ConfigurationDocuments documents() {
    return ConfigurationDocuments.of(control().current().texts());
  }

  /** The file of the database that it is about; an empty one for a database that is in no file. */
  ConfigurationDocument document() {
    ConfigurationDocument found = documents().database(database().name());
    return found == null ? ConfigurationDocument.of("", "") : found;
  }

  /** What the statement gives under a name; the empty text if it is left out. */
  String given(String name) {
    String value = match.get(name);
    return value == null ? "" : value;
  }

  /** Whether words are there that may be left out. */
  boolean has(String words) {
    return match.get(words) != null;
  }

  /** Whether these words are the last. */
  boolean endsWith(String... words) {
    SqlTokens tokens = match.tokens();
    int first = tokens.size() - words.length;
    for (int i = 0; i < words.length; i++) {
      if (!tokens.isWord(first + i, words[i])) {
        return false;
      }
    }
    return true;
  }

  /** Whether something is asked for that is left out, or is called so. */
  boolean wants(String name, String found) {
    String value = match.get(name);
    return value == null || value.equalsIgnoreCase(found);
  }
}

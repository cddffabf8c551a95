package io.anabranch.frontend.administration.definition;

import io.anabranch.frontend.administration.definition.AccountStatement.Level;
import io.anabranch.frontend.administration.definition.AccountStatement.Login;
import io.anabranch.frontend.administration.definition.AccountStatement.Logins;
import io.anabranch.frontend.administration.definition.AccountStatement.Removal;
import io.anabranch.frontend.administration.definition.AccountStatement.Rights;
import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.right.Grant;
import io.anabranch.rules.right.Privilege;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads CREATE, ALTER and DROP USER, SET PASSWORD, GRANT and REVOKE. What is wrong is told by words
 * around it, never by a value, which may be a password.
 */
public final class AccountReader {

  private static final Pattern NATIVE_HASH = Pattern.compile("\\*[0-9A-Fa-f]{40}");

  private final SqlTokens tokens;
  private final LexerMode mode;
  private final Account own;
  private final @Nullable String database;
  private int at;

  /**
   * @param own the account of who sends it, for CURRENT_USER
   * @param database the selected one, for levels that name none; null: there is none
   */
  public AccountReader(SqlTokens tokens, LexerMode mode, Account own, @Nullable String database) {
    this.tokens = tokens;
    this.mode = mode;
    this.own = own;
    this.database = database;
  }

  /** The accounts that it is about, as far as they can be read. */
  public List<Account> accounts() {
    at = 2;
    if (tokens.isWord(0, "SET") && !takes("FOR")) {
      return List.of(own);
    }
    if (tokens.isWord(0, "GRANT") || tokens.isWord(0, "REVOKE")) {
      String before = tokens.isWord(0, "GRANT") ? "TO" : "FROM";
      at = last(before) + 1;
    } else if (takes("IF")) {
      at += tokens.isWord(at, "NOT") ? 2 : 1;
    }
    var accounts = new ArrayList<Account>();
    try {
      accounts.add(account());
      while (comma()) {
        accounts.add(account());
      }
    } catch (ConfigurationRefusedException unread) {
      return accounts;
    }
    return accounts;
  }

  private int last(String word) {
    int last =
        tokens.all().findLast(token -> tokens.isWord(token, word) && tokens.depth(token) == 0);
    return last < 0 ? tokens.size() : last;
  }

  /**
   * The whole statement.
   *
   * @throws ConfigurationRefusedException if it says anything that the proxy has not
   */
  public AccountStatement read() {
    at = 1;
    AccountStatement statement =
        switch (tokens.text(0).toUpperCase(Locale.ROOT)) {
          case "GRANT" -> rights(true);
          case "REVOKE" -> rights(false);
          case "SET" -> password();
          case "DROP" -> {
            at = 2;
            boolean isLenient = takes("IF", "EXISTS");
            yield new Removal(isLenient, accountList());
          }
          default -> logins(tokens.isWord(0, "CREATE"));
        };
    if (at < tokens.size()) {
      throw unexpected();
    }
    return statement;
  }

  // ---------------------------------------------------------------- logins

  private Logins logins(boolean creates) {
    at = 2;
    boolean isLenient = creates ? takes("IF", "NOT", "EXISTS") : takes("IF", "EXISTS");
    var logins = new ArrayList<Login>();
    logins.add(login());
    while (comma()) {
      logins.add(login());
    }
    String requirement = null;
    if (takes("REQUIRE")) {
      requirement = tokens.text(at++).toUpperCase(Locale.ROOT);
    }
    String most = null;
    if (takes("WITH", "MAX_USER_CONNECTIONS")) {
      if (at >= tokens.size() || tokens.kind(at) != TokenKind.NUMBER) {
        throw unexpected();
      }
      most = tokens.text(at++);
    }
    Integer lifetime = null;
    if (takes("PASSWORD", "EXPIRE")) {
      lifetime = lifetime();
    }
    return new Logins(creates, isLenient, logins, requirement, most, lifetime);
  }

  /** Behind PASSWORD EXPIRE. */
  private int lifetime() {
    if (takes("NEVER") || takes("DEFAULT")) {
      return 0;
    }
    if (!takes("INTERVAL")) {
      throw Clause.refused(
          "PASSWORD EXPIRE at once: nobody is turned away for a password; change it, or write"
              + " INTERVAL n DAY for when it is to be changed");
    }
    String days = at < tokens.size() ? tokens.text(at) : "";
    if (!days.matches("[1-9][0-9]{0,4}")) {
      throw unexpected();
    }
    at++;
    if (!takes("DAY")) {
      throw unexpected();
    }
    return Integer.parseInt(days);
  }

  private Login login() {
    Account account = account();
    if (takes("DISCARD", "OLD", "PASSWORD")) {
      return new Login(account, null, null, false, false, true);
    }
    if (!takes("IDENTIFIED")) {
      return new Login(account, null, null, false, false, false);
    }
    String plugin = null;
    boolean isHash = false;
    if (takes("WITH") || takes("VIA")) {
      plugin = name().toLowerCase(Locale.ROOT);
    }
    if (takes("AS") || (plugin != null && takes("USING"))) {
      isHash = true;
    } else if (takes("BY", "PASSWORD")) {
      isHash = true;
    } else if (!takes("BY")) {
      throw plugin == null ? unexpected() : AccountDefinition.passwordless(account);
    }
    String password = string();
    boolean retains = takes("RETAIN", "CURRENT", "PASSWORD");
    return new Login(account, plugin, password, isHash, retains, false);
  }

  /** {@code SET PASSWORD [FOR account] = …}, as ALTER USER says it. */
  private Logins password() {
    at = 2;
    Account account = takes("FOR") ? account() : own;
    if (takes("TO")) {
      throw Clause.refused(
          "a password that the proxy makes up: ALTER USER " + account + " IDENTIFIED BY '…'");
    }
    if (!tokens.text(at).equals("=") && !tokens.text(at).equals(":=")) {
      throw unexpected();
    }
    at++;
    boolean isCall = takes("PASSWORD");
    if (isCall && !tokens.isPunctuation(at++, '(')) {
      throw unexpected();
    }
    String password = string();
    if (isCall && !tokens.isPunctuation(at++, ')')) {
      throw unexpected();
    }
    // MariaDB takes hashes only where nobody hashes
    boolean isHash = !isCall && NATIVE_HASH.matcher(password).matches();
    boolean retains = takes("RETAIN", "CURRENT", "PASSWORD");
    return new Logins(
        false,
        false,
        List.of(new Login(account, null, password, isHash, retains, false)),
        null,
        null,
        null);
  }

  private String string() {
    if (at >= tokens.size() || tokens.kind(at) != TokenKind.STRING) {
      throw unexpected();
    }
    return ClauseParser.string(tokens.text(at++), mode);
  }

  // ---------------------------------------------------------------- rights

  private Rights rights(boolean gives) {
    var privileges = new HashSet<Privilege>();
    boolean isAll = tokens.isWord(at, "ALL");
    if (!gives && isAll && revokesEverything()) {
      return new Rights(false, Privilege.ALL, null, accountList());
    }
    do {
      String words = privilege();
      if (!words.equals("USAGE")) {
        var named = Privilege.named(words);
        if (named == null) {
          throw Clause.refused(
              "there is no privilege `"
                  + words
                  + "`: there are those on databases and tables, READ, WRITE, DDL and ALL");
        }
        privileges.addAll(named);
      }
    } while (comma());
    if (!takes("ON")) {
      throw unexpected();
    }
    Level level = level();
    if (!takes(gives ? "TO" : "FROM")) {
      throw unexpected();
    }
    List<Account> accounts = accountList();
    if (takes("WITH", "GRANT", "OPTION")) {
      throw Clause.refused(
          "WITH GRANT OPTION: users with `admin: true` grant rights, and no others");
    }
    return new Rights(gives, privileges, level, accounts);
  }

  /** {@code ALL [PRIVILEGES], GRANT OPTION FROM}. */
  private boolean revokesEverything() {
    int start = at;
    at++;
    takes("PRIVILEGES");
    if (comma() && takes("GRANT", "OPTION") && takes("FROM")) {
      return true;
    }
    at = start;
    return false;
  }

  private String privilege() {
    int first = at;
    at =
        tokens
            .from(first)
            .skip(word -> tokens.kind(word) == TokenKind.WORD && !tokens.isWord(word, "ON"));
    if (at == first || tokens.isPunctuation(at, '(')) {
      throw unexpected();
    }
    return String.join(" ", tokens.between(first, at).texts()).toUpperCase(Locale.ROOT);
  }

  private Level level() {
    boolean isTable = takes("TABLE");
    for (String routine : new String[] {"FUNCTION", "PROCEDURE", "PACKAGE"}) {
      if (!isTable && tokens.isWord(at, routine) && !tokens.isPunctuation(at + 1, '.')) {
        throw Clause.refused(
            "a privilege on one " + routine + ": EXECUTE is of all routines of a database");
      }
    }
    String first = part();
    if (tokens.isPunctuation(at, '.')) {
      at++;
      return new Level(first, part());
    }
    if (database == null) {
      throw ErrorCatalogue.NO_DATABASE_SELECTED.refuse();
    }
    return new Level(database, first);
  }

  private String part() {
    if (tokens.isOperator(at, "*")) {
      at++;
      return Grant.ANY;
    }
    return name();
  }

  // ---------------------------------------------------------------- accounts

  private List<Account> accountList() {
    var accounts = new ArrayList<Account>();
    accounts.add(account());
    while (comma()) {
      accounts.add(account());
    }
    return accounts;
  }

  private Account account() {
    if (takes("CURRENT_USER") || (tokens.isPunctuation(at + 1, '(') && takes("USER"))) {
      if (tokens.isPunctuation(at, '(') && tokens.isPunctuation(at + 1, ')')) {
        at += 2;
      }
      return own;
    }
    String name = name();
    if (!tokens.text(at).equals("@")) {
      return new Account(name, "%");
    }
    at++;
    String host = host();
    return new Account(name, host.isEmpty() ? "%" : host);
  }

  /** In quotes, or all that stands there without a blank. */
  private String host() {
    String first = tokens.text(at);
    if (at < tokens.size() && tokens.kind(at) == TokenKind.STRING) {
      at++;
      return ClauseParser.string(first, mode);
    }
    if (first.startsWith("`") && first.length() > 1) {
      at++;
      return first.substring(1, first.length() - 1).replace("``", "`");
    }
    if (!isPlain(at)) {
      throw unexpected();
    }
    int behind = tokens.from(at + 1).skip(each -> isPlain(each) && !tokens.isApart(each));
    String host = tokens.between(at, behind).text();
    at = behind;
    return host;
  }

  /** A piece of a host without quotes. */
  private boolean isPlain(int token) {
    if (token >= tokens.size()) {
      return false;
    }
    return switch (tokens.kind(token)) {
      case WORD, NUMBER, OPERATOR -> !tokens.text(token).startsWith("@");
      default -> tokens.isPunctuation(token, '.');
    };
  }

  private String name() {
    if (at >= tokens.size()) {
      throw unexpected();
    }
    int token = at++;
    return switch (tokens.kind(token)) {
      case WORD -> tokens.text(token);
      case QUOTED -> tokens.name(token);
      case STRING -> ClauseParser.string(tokens.text(token), mode);
      default -> {
        at = token;
        throw unexpected();
      }
    };
  }

  // ---------------------------------------------------------------- tokens

  private boolean takes(String... words) {
    for (int i = 0; i < words.length; i++) {
      if (!tokens.isWord(at + i, words[i])) {
        return false;
      }
    }
    at += words.length;
    return true;
  }

  private boolean comma() {
    if (!tokens.isPunctuation(at, ',')) {
      return false;
    }
    at++;
    return true;
  }

  private ConfigurationRefusedException unexpected() {
    boolean isWord = at < tokens.size() && tokens.kind(at) == TokenKind.WORD;
    String what =
        at >= tokens.size()
            ? "the statement ends too early"
            : isWord
                ? "the word " + tokens.text(at).toUpperCase(Locale.ROOT) + " has no meaning there"
                : "the statement cannot be read";
    return Clause.refused(what + " (token " + (at + 1) + ")");
  }
}

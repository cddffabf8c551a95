package io.anabranch.frontend.show;

import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.current.Syntax;
import io.anabranch.frontend.response.LocalColumns;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.right.Grant;
import io.anabranch.rules.right.Grants;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** SHOW GRANTS of the proxy's own users: what the databases know is the proxy's account. */
final class GrantsListing {

  private static final int LINE = 1024;
  private static final String WORD = "('(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`|[^\\s@]+)";

  /** {@code user}, {@code user@host}, each quoted or not. */
  private static final Pattern ACCOUNT =
      Pattern.compile(WORD + "(?:\\s*@\\s*" + WORD + ")?\\s*", Pattern.DOTALL);

  private GrantsListing() {}

  static void run(SourceText source, Answer answer) {
    SqlTokens tokens = source.tokens();
    Session session = answer.session();
    if (tokens.size() == 2 || tokens.isWord(3, "CURRENT_USER")) {
      show(session.user(), answer);
      return;
    }
    String account = tokens.size() > 3 ? source.text().substring(tokens.start(3)) : "";
    Matcher parts = ACCOUNT.matcher(account);
    if (!tokens.isWord(2, "FOR") || !parts.matches()) {
      answer.fail(Syntax.near(source));
      return;
    }
    String name = unquoted(parts.group(1));
    String host = parts.group(2) == null ? "%" : unquoted(parts.group(2));
    Authority.User asked = user(session.deployment().rules(), name, host);
    if (!session.user().admin() && !session.user().equals(asked)) {
      answer.fail(
          ErrorCatalogue.DATABASE_ACCESS_DENIED.refuse(
              session.user().name(), host(session.user()), "mysql"));
    } else if (asked == null) {
      answer.fail(ErrorCatalogue.NO_SUCH_GRANT.refuse(name, host));
    } else {
      show(asked, answer);
    }
  }

  private static void show(Authority.User user, Answer answer) {
    String account = "`" + user.name() + "`@`" + host(user) + "`";
    Deployment deployment = answer.session().deployment();
    var rows = new ArrayList<List<String>>();
    if (user.admin()) {
      rows.add(List.of("GRANT ALL PRIVILEGES ON *.* TO " + account));
    } else if (!user.grants().isUnlimited()) {
      granted(user.grants(), account).forEach(line -> rows.add(List.of(line)));
    } else {
      rows.add(List.of("GRANT USAGE ON *.* TO " + account));
      for (Backend backend : deployment.backends().values()) {
        String name = backend.database().name();
        if (deployment.realm().permits(user, name)) {
          rows.add(List.of("GRANT ALL PRIVILEGES ON `" + name + "`.* TO " + account));
        }
      }
    }
    String title = "Grants for " + user.name() + "@" + host(user);
    answer.rows(List.of(LocalColumns.required(title, LINE)), rows);
  }

  /** As servers do, what is granted everywhere stands in front, if it is nothing. */
  private static List<String> granted(Grants grants, String account) {
    var lines = new ArrayList<String>();
    for (Grant grant : grants.list()) {
      boolean isEverywhere = grant.database().equals(Grant.ANY);
      lines.add(isEverywhere ? 0 : lines.size(), "GRANT " + grant + " TO " + account);
    }
    if (grants.list().stream().noneMatch(grant -> grant.database().equals(Grant.ANY))) {
      lines.addFirst("GRANT USAGE ON *.* TO " + account);
    }
    return lines;
  }

  private static Authority.@Nullable User user(RuleSet rules, String name, String host) {
    for (Authority.User user : rules.authority().users()) {
      if (user.name().equals(name) && host(user).equalsIgnoreCase(host)) {
        return user;
      }
    }
    return null;
  }

  private static String host(Authority.User user) {
    return user.host().isEmpty() ? "%" : user.host();
  }

  private static String unquoted(String part) {
    char quote = part.charAt(0);
    if ("'\"`".indexOf(quote) < 0) {
      return part;
    }
    String once = String.valueOf(quote);
    return part.substring(1, part.length() - 1).replace(once + once, once);
  }
}

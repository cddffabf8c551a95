package io.anabranch.rules.guard;

import io.anabranch.rules.digest.DigestText;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.protection.QueryRule;
import io.anabranch.rules.model.protection.RuleMask;
import io.anabranch.rules.model.protection.StatementTrait;
import io.anabranch.rules.model.protection.TextPattern;
import io.anabranch.rules.need.NeededRights;
import io.anabranch.rules.plan.PlanRules;
import io.anabranch.rules.right.Need;
import io.anabranch.rules.task.StatementHints;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which rules one statement may meet, by what does not change from one execution to the next.
 * Everything is found when a rule asks for it first.
 */
public final class RuleMatching {

  /** Of the normal form, what digests are made of: as statistics have them. */
  private static final int DIGESTED_BYTES = 4096;

  private final LogicalDatabase database;
  private final StatementKind leading;
  private final SqlTokens tokens;
  private final byte[] normalForm;
  private final Charset charset;
  private final boolean ansiQuotes;
  private final Map<String, String> hints;

  private @Nullable FormReader form;
  private @Nullable Set<StatementTrait> traits;
  private @Nullable Set<String> tables;
  private @Nullable String digest;
  private @Nullable String whole;

  /**
   * @param database of the statement
   * @param kind by its leading words
   * @param normalForm of the text that the client wrote, in {@code charset}
   */
  public RuleMatching(
      LogicalDatabase database,
      StatementKind kind,
      SqlTokens tokens,
      byte[] normalForm,
      Charset charset,
      boolean ansiQuotes,
      StatementHints hints) {
    this.database = database;
    this.leading = kind;
    this.tokens = tokens;
    this.normalForm = normalForm;
    this.charset = charset;
    this.ansiQuotes = ansiQuotes;
    this.hints = hints.values();
  }

  /** Those of {@code rules}, by their positions. */
  public PlanRules of(List<QueryRule> rules) {
    RuleMask mask = RuleMask.of(rules.size(), position -> mayMeet(rules.get(position)));
    return mask.isEmpty() ? PlanRules.NONE : new PlanRules(mask, digest());
  }

  private boolean mayMeet(QueryRule rule) {
    QueryRule.Matching asked = rule.matching();
    return isOf(asked.databases(), database.name())
        && hasRoute(rule.actions().route())
        && hasMirror(rule.actions().mirror())
        && (asked.kinds().isEmpty() || asked.kinds().contains(form().kind()))
        && haveHints(asked.hints())
        && hasForm(asked.traits())
        && (asked.tables().isEmpty() || tables().stream().anyMatch(asked.tables()::contains))
        && (asked.digests().isEmpty() || asked.digests().contains(digest()))
        && isWritten(asked.digestPattern());
  }

  /** Literals, which tell of injections, are none of the form. */
  private boolean hasForm(Set<StatementTrait> asked) {
    return asked.stream()
        .allMatch(each -> each == StatementTrait.INJECTION || traits().contains(each));
  }

  private static boolean isOf(Set<String> names, String name) {
    return names.isEmpty() || names.contains(name.toLowerCase(Locale.ROOT));
  }

  /** A database without the data source is none of the rule's. */
  private boolean hasRoute(QueryRule.@Nullable Route route) {
    return !(route instanceof QueryRule.Route.DataSource(String name)) || hasDataSource(name);
  }

  private boolean hasMirror(QueryRule.@Nullable Mirror mirror) {
    return mirror == null || mirror.database() != null || hasDataSource(mirror.dataSource());
  }

  private boolean hasDataSource(String name) {
    return StatementHints.dataSources(database).contains(name);
  }

  private boolean haveHints(Map<String, String> asked) {
    for (Map.Entry<String, String> each : asked.entrySet()) {
      String value = hints.get(each.getKey());
      boolean is = value != null && (each.getValue().isEmpty() || each.getValue().equals(value));
      if (!is) {
        return false;
      }
    }
    return true;
  }

  private FormReader form() {
    FormReader known = form;
    if (known == null) {
      known = new FormReader(tokens, leading);
      form = known;
    }
    return known;
  }

  private Set<StatementTrait> traits() {
    Set<StatementTrait> known = traits;
    if (known == null) {
      known = form().traits();
      traits = known;
    }
    return known;
  }

  private String digest() {
    String known = digest;
    if (known == null) {
      byte[] first = Arrays.copyOf(normalForm, Math.min(normalForm.length, DIGESTED_BYTES));
      known = DigestText.hash(DigestText.digest(first, charset, ansiQuotes));
      digest = known;
    }
    return known;
  }

  private boolean isWritten(@Nullable TextPattern pattern) {
    if (pattern == null) {
      return true;
    }
    String known = whole;
    if (known == null) {
      known = DigestText.whole(normalForm, charset, ansiQuotes);
      whole = known;
    }
    return pattern.isIn(known);
  }

  // ---------------------------------------------------------------- tables

  /** Their names, and the same with their database, in lower case. */
  private Set<String> tables() {
    Set<String> known = tables;
    if (known == null) {
      known = new HashSet<>();
      try {
        for (Need need : NeededRights.of(leading, tokens)) {
          add(need, known);
        }
      } catch (RefusedException whereTablesAreInDoubt) {
        addAllNames(known);
      }
      tables = known;
    }
    return known;
  }

  private void add(Need need, Set<String> to) {
    String table =
        switch (need) {
          case Need.OnTable on -> on.table();
          case Need.Sight on -> on.table();
          case Need.Definition on -> on.table();
          case Need.Explanation on -> on.table();
          case Need.Locked on -> on.table();
          case Need.Through through -> through.table();
          case Need.OnDatabase _, Need.Routine _, Need.Everything _ -> "";
        };
    if (!table.isEmpty()) {
      String name = table.toLowerCase(Locale.ROOT);
      String schema = need.schema();
      to.add(name);
      to.add((schema == null ? database.name() : schema).toLowerCase(Locale.ROOT) + "." + name);
    }
  }

  /** Every name may be that of a table. */
  private void addAllNames(Set<String> to) {
    for (int token : tokens.all().names()) {
      String name = tokens.lowerName(token);
      boolean isQualified = tokens.isPunctuation(token - 1, '.') && tokens.isName(token - 2);
      String schema = isQualified ? tokens.name(token - 2) : database.name();
      to.add(name);
      to.add(schema.toLowerCase(Locale.ROOT) + "." + name);
    }
  }
}

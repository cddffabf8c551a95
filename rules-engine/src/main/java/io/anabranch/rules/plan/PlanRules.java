package io.anabranch.rules.plan;

import io.anabranch.rules.model.protection.RuleMask;
import java.util.Set;

/**
 * Which rules for statements a plan's may meet: what depends on the text alone is decided with the
 * plan.
 *
 * @param rules that user, client, literals and number of data sources decide
 * @param digest of the statement, 32 hexadecimal digits; empty where there are no such rules
 * @param keeping what it has to do with answers that others get
 */
public record PlanRules(RuleMask rules, String digest, Keeping keeping) {

  public static final PlanRules NONE = new PlanRules(RuleMask.NONE, "", new Keeping.Nothing());

  /** Those, where nobody's answers are others'. */
  public PlanRules(RuleMask rules, String digest) {
    this(rules, digest, NONE.keeping);
  }

  /** The same of a statement of which that is known. */
  public PlanRules with(Keeping known) {
    return new PlanRules(rules, digest, known);
  }

  /** What a statement has to do with answers that others get. Tables are in lower case. */
  public sealed interface Keeping {

    /** It changes nothing, and its answer is its own. */
    record Nothing() implements Keeping {}

    /** Its answer is the same until these tables are changed. */
    record Answer(Set<String> tables) implements Keeping {
      public Answer {
        tables = Set.copyOf(tables);
      }
    }

    /** It may change these tables, and no others. */
    record Change(Set<String> tables) implements Keeping {
      public Change {
        tables = Set.copyOf(tables);
      }
    }

    /** It may change any table. */
    record ChangeOfAny() implements Keeping {}
  }
}

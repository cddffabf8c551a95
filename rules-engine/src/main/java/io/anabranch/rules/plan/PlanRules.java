package io.anabranch.rules.plan;

import io.anabranch.rules.model.protection.RuleMask;

/**
 * Which rules for statements a plan's may meet: what depends on the text alone is decided with the
 * plan.
 *
 * @param rules that user, client, literals and number of data sources decide
 * @param digest of the statement, 32 hexadecimal digits; empty where there are no such rules
 */
public record PlanRules(RuleMask rules, String digest) {

  public static final PlanRules NONE = new PlanRules(RuleMask.NONE, "");
}

package io.anabranch.rules.planner.definition;

import io.anabranch.rules.plan.DefinitionReview;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.WrappedPlan;

/** A definition whose effect is looked at afterwards. */
record ReviewedPlan(StatementPlan plan, DefinitionReview review) implements WrappedPlan {}

/**
 * Query rules in force: who of the clients they concern, and how often statements have met them.
 * Start at {@link io.anabranch.frontend.rule.RuleCounts}. Imports the rules' model and {@code
 * frontend.notice}.
 */
@NullMarked
package io.anabranch.frontend.rule;

import org.jspecify.annotations.NullMarked;

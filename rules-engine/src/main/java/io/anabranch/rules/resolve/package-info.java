/**
 * A query understood: parsed, its tables found, and where their rows are together.
 *
 * <p>Start with {@link io.anabranch.rules.resolve.StatementReader}, whose {@link
 * io.anabranch.rules.resolve.Analysis} all planners of queries and changes begin with; then {@link
 * io.anabranch.rules.resolve.Placement}, the routes of all its tables together, which gives {@link
 * io.anabranch.rules.resolve.Targets} for the values of one execution. {@link
 * io.anabranch.rules.resolve.ScatterChecks} tell what no merge may answer.
 *
 * <p>May import {@code rules.table}, {@code rules.metadata}, {@code rules.rewrite}, {@code
 * rules.routing} and what is below them. Reading runs on virtual threads and asks databases;
 * placements are immutable and bound on event loops.
 */
@NullMarked
package io.anabranch.rules.resolve;

import org.jspecify.annotations.NullMarked;

/**
 * Statements that a database finishes over copies of the rows they need. Start with {@code
 * StageIT}; {@code TpchIT} runs TPC-H's queries over {@code TpchData}.
 */
@NullMarked
package io.anabranch.app.stage;

import org.jspecify.annotations.NullMarked;

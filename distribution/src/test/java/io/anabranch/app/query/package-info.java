/**
 * SELECT over shards answers as one plain database: conditions, joins, groups, order, collations,
 * functions, errors. Start with {@code ShardedIT}; {@code StatementSurveyIT} has hundreds of
 * statements as applications write them. Generated statements are in {@code differential} and
 * {@code types}.
 */
@NullMarked
package io.anabranch.app.query;

import org.jspecify.annotations.NullMarked;

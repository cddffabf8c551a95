/**
 * What the rules of a database's file say, as rows.
 *
 * <p>Start at {@link io.anabranch.frontend.administration.rule.ShardedTableText}. Each class takes
 * parts of the file and knows nothing of who asks. Secrets are never among the cells. Stateless;
 * any thread.
 */
@NullMarked
package io.anabranch.frontend.administration.rule;

import org.jspecify.annotations.NullMarked;

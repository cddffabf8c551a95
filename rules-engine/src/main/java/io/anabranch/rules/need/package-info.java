/**
 * Which rights a statement needs, by its tokens alone, so that it holds for statements that no
 * parser takes. The law: what is not surely no table is one, and what is in doubt is refused.
 *
 * <p>Start with {@link io.anabranch.rules.need.NeededRights}; {@link
 * io.anabranch.rules.need.TableUses} finds tables. May import {@code rules.right}, {@code
 * rules.syntax.qualifier}, {@code rules.function} and what is below them. Made for one statement,
 * on any thread.
 */
@NullMarked
package io.anabranch.rules.need;

import org.jspecify.annotations.NullMarked;

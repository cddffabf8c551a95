/**
 * The planner's questions, answered from the databases: columns, keys, weights of texts.
 *
 * <p>Start at {@link io.anabranch.backend.execute.catalog.LiveCatalog}. Answers are remembered
 * until a definition changes; who asks waits on his virtual thread.
 */
@NullMarked
package io.anabranch.backend.execute.catalog;

import org.jspecify.annotations.NullMarked;

/**
 * The merge lane: the current statement on several data sources. {@link
 * io.anabranch.frontend.execution.merge.MergeLane} walks its plan on a virtual thread, {@link
 * io.anabranch.frontend.execution.merge.MergeMembers} chooses the members of groups.
 *
 * <p>May import {@code frontend.execution} and what that may.
 */
@NullMarked
package io.anabranch.frontend.execution.merge;

import org.jspecify.annotations.NullMarked;

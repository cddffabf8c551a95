/**
 * How the branches of a transaction end, on one data source or on several.
 *
 * <p>{@link io.anabranch.backend.transaction.commit.Coordinator} is the seam: {@link
 * io.anabranch.backend.transaction.commit.LocalCoordinator} ends one branch after the other, {@code
 * backend.xa} has two-phase commit. Imports {@code backend.lease}, {@code backend.shard} and the
 * error catalogue; owns no threads.
 */
@NullMarked
package io.anabranch.backend.transaction.commit;

import org.jspecify.annotations.NullMarked;

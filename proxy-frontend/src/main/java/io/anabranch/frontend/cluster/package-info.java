/**
 * What the proxies of a cluster ask each other: {@link io.anabranch.frontend.cluster.ClusterPeers}
 * carries a question to the others and brings their answers, {@link
 * io.anabranch.frontend.cluster.Message} is how both are written. {@code
 * frontend.local.PeerQuestions} answers those of others.
 *
 * <p>May import {@code frontend.table}. Asked on virtual threads: answers take half a second and
 * more.
 */
@NullMarked
package io.anabranch.frontend.cluster;

import org.jspecify.annotations.NullMarked;

/**
 * What may refuse statements of audited tables: {@link
 * io.anabranch.rules.algorithm.audit.AuditorCatalogue} makes auditors by their types' names, the
 * field's own or those of an {@link io.anabranch.rules.algorithm.audit.AuditorProvider}.
 *
 * <p>All are thread-safe and do no I/O. May import {@code rules.algorithm}.
 */
@NullMarked
package io.anabranch.rules.algorithm.audit;

import org.jspecify.annotations.NullMarked;

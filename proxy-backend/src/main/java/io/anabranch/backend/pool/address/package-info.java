/**
 * Where a data source is, by its JDBC URL, and which driver goes there.
 *
 * <p>Start at {@link io.anabranch.backend.pool.address.BackendUrl}. Imports {@code rules.model}
 * only. Has no threads of its own: opening a connection blocks whoever asks for it.
 */
@NullMarked
package io.anabranch.backend.pool.address;

import org.jspecify.annotations.NullMarked;

/**
 * Statements that go to a second data source as well, as query rules say, behind their answers and
 * without anybody's waiting for them. Start at {@link io.anabranch.frontend.mirror.Mirrors}.
 * Imports leases and topology of the backend, {@code frontend.rule} and {@code frontend.notice}.
 * Sessions put statements into lines on their event loops; virtual threads run them.
 */
@NullMarked
package io.anabranch.frontend.mirror;

import org.jspecify.annotations.NullMarked;

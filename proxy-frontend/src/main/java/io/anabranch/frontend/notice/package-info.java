/**
 * Log lines that others cause: start at {@link io.anabranch.frontend.notice.Pace}, which says when
 * one is due. Imports nothing of the proxy. Any thread.
 */
@NullMarked
package io.anabranch.frontend.notice;

import org.jspecify.annotations.NullMarked;

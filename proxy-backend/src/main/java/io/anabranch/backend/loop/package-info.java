/**
 * Event loops that keep a buffer at hand for what arrives and one for what goes out.
 *
 * <p>Start at {@link io.anabranch.backend.loop.RelayLoop}. Clients' and databases' channels are on
 * these loops; any other loop works too, with a buffer from the pool each time.
 *
 * <p>Imports Netty only. A loop's buffers are used on that loop.
 */
@NullMarked
package io.anabranch.backend.loop;

import org.jspecify.annotations.NullMarked;

/**
 * One budget of memory over all clients: what a session makes the proxy keep is charged to the
 * session, its user and the process before it is kept, and given back when it goes. What does not
 * fit is refused with an error of its own; the session lives.
 *
 * <p>Start with {@link io.anabranch.backend.memory.MemoryBudget}. Imports the rules' error
 * catalogue and model only. Everything is thread-safe but {@link
 * io.anabranch.backend.memory.MemoryCharge}.
 */
@NullMarked
package io.anabranch.backend.memory;

import org.jspecify.annotations.NullMarked;

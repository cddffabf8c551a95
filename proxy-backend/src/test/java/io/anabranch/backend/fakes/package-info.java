/** Hand-written stand-ins for databases and leases. */
@NullMarked
package io.anabranch.backend.fakes;

import org.jspecify.annotations.NullMarked;

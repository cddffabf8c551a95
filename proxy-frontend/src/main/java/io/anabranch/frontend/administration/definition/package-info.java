/**
 * What DistSQL's definitions mean for the text of a configuration file.
 *
 * <p>Start at {@link io.anabranch.frontend.administration.definition.ClauseParser}: all definitions
 * are written alike, so that one reader takes them; the others change a document by what it has
 * read. Whether the result is in order is decided by those who read configurations. Stateless; any
 * thread.
 */
@NullMarked
package io.anabranch.frontend.administration.definition;

import org.jspecify.annotations.NullMarked;

/**
 * Definitions over shards: CREATE, ALTER, DROP, RENAME, databases, views, and tables whose parts
 * are not, or not any longer, alike. Start with {@code DefinitionsIT}.
 */
@NullMarked
package io.anabranch.app.definition;

import org.jspecify.annotations.NullMarked;

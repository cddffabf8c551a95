/**
 * What there is to see of databases and tables, whose names may differ from the servers', and what
 * the proxy answers in a server's place. Start with {@code CatalogueIT}.
 */
@NullMarked
package io.anabranch.app.catalogue;

import org.jspecify.annotations.NullMarked;

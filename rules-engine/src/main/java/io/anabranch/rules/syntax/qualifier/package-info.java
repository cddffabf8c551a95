/**
 * Where a statement names schemas, by its tokens alone: of any statement, also of those that no
 * parser takes. The one owner of that knowledge; who translates names and who checks rights both
 * ask here.
 *
 * <p>The law: what is not surely the name of a column may be a schema's. Start with {@link
 * io.anabranch.rules.syntax.qualifier.SchemaMentions}. May import {@code rules.lexer} and {@code
 * rules.sql.TableNames}. Everything here is immutable once made.
 */
@NullMarked
package io.anabranch.rules.syntax.qualifier;

import org.jspecify.annotations.NullMarked;

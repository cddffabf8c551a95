/**
 * What users may do who are no administrators: the proxy's account on the databases may do more.
 * Start with {@link io.anabranch.frontend.privilege.Privileges}, which looks at a statement before
 * it is planned; {@code NamedSchemas} finds the databases that it names.
 *
 * <p>May import {@code frontend.session} and the lexer. By tokens alone: no parser, no I/O, but
 * that asking whether a name is the database's own may block.
 */
@NullMarked
package io.anabranch.frontend.privilege;

import org.jspecify.annotations.NullMarked;

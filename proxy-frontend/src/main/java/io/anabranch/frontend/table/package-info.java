/**
 * The schema {@code anabranch}: tables of what the proxy knows. {@link
 * io.anabranch.frontend.table.VirtualTable} is one, whoever has the rows makes it; {@code
 * frontend.local.OwnTablesCommand} answers the statements that name them.
 *
 * <p>May import {@code frontend.response} and the rules. Rows are read on virtual threads and may
 * block.
 */
@NullMarked
package io.anabranch.frontend.table;

import org.jspecify.annotations.NullMarked;

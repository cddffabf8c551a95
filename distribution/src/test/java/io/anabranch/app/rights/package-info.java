/**
 * Who may do what: accounts, grants, every kind of statement and command by users who lack a
 * privilege. Start with {@code GrantsIT}; {@code RightsMatrixIT} crosses {@code RightForms} with
 * privileges and compares with a server's own accounts, made by {@code GrantedUsers}.
 */
@NullMarked
package io.anabranch.app.rights;

import org.jspecify.annotations.NullMarked;

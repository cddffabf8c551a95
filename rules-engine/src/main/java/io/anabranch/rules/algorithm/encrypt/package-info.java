/**
 * How values of encrypted columns are stored: the SPI and the built-in encryptors.
 *
 * <p>Start at {@link io.anabranch.rules.algorithm.encrypt.Encryptor}; {@link
 * io.anabranch.rules.algorithm.encrypt.EncryptorCatalogue} knows the types. Imports {@code
 * rules.algorithm}. Encryptors are used by all threads, event loops among them; a {@code Decryptor}
 * belongs to one. Keys are in private fields alone: nothing here has a {@code toString} that tells
 * them.
 */
@NullMarked
package io.anabranch.rules.algorithm.encrypt;

import org.jspecify.annotations.NullMarked;

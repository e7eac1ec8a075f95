/** The rules of the code's structure, held by tests. */
@NullMarked
package io.quorumlb.verify.arch;

import org.jspecify.annotations.NullMarked;

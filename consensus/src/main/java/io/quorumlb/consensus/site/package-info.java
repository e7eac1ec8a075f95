/** Sets of objects as somebody wants them, and what has to change until they are so. Pure. */
@NullMarked
package io.quorumlb.consensus.site;

import org.jspecify.annotations.NullMarked;

/** How anything is measured here: fresh pinned processes, pairs, medians, ranges, and the page. */
package io.headgate.benchmarks.measure;

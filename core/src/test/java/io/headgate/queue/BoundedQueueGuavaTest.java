package io.headgate.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.testing.QueueTestSuiteBuilder;
import com.google.common.collect.testing.TestStringQueueGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import java.util.Collections;
import java.util.Queue;
import java.util.function.Supplier;
import java.util.stream.Stream;
import junit.framework.AssertionFailedError;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import junit.framework.TestSuite;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Guava's suite for queues, every case of it a dynamic test. */
@Tag("Q7")
class BoundedQueueGuavaTest {

  @TestFactory
  Stream<DynamicNode> bounded() {
    return nodes(suite("of", () -> BoundedQueue.of(100)));
  }

  @TestFactory
  Stream<DynamicNode> weighted() {
    return nodes(suite("weighted", () -> BoundedQueue.weighted(100, 1_000, String::length)));
  }

  @org.junit.jupiter.api.Test
  void suiteIsNotEmpty() {
    assertThat(suite("counted", () -> BoundedQueue.of(100)).countTestCases()).isGreaterThan(200);
  }

  private static TestSuite suite(String name, Supplier<Queue<String>> empty) {
    return QueueTestSuiteBuilder.using(
            new TestStringQueueGenerator() {
              @Override
              protected Queue<String> create(String[] elements) {
                Queue<String> queue = empty.get();
                Collections.addAll(queue, elements);
                return queue;
              }
            })
        .named(name)
        .withFeatures(
            CollectionFeature.GENERAL_PURPOSE,
            CollectionFeature.KNOWN_ORDER,
            CollectionFeature.ALLOWS_NULL_QUERIES,
            CollectionSize.ANY)
        .createTestSuite();
  }

  private static Stream<DynamicNode> nodes(TestSuite suite) {
    return Collections.list(suite.tests()).stream().map(BoundedQueueGuavaTest::node);
  }

  private static DynamicNode node(Test test) {
    if (test instanceof TestSuite suite) {
      return DynamicContainer.dynamicContainer(suite.getName(), nodes(suite));
    }
    return DynamicTest.dynamicTest(((TestCase) test).getName(), () -> run(test));
  }

  private static void run(Test test) throws Throwable {
    TestResult result = new TestResult();
    test.run(result);
    assertThat(result.runCount()).isEqualTo(1);
    for (TestFailure failure : Collections.list(result.failures())) {
      throw (AssertionFailedError) failure.thrownException();
    }
    for (TestFailure error : Collections.list(result.errors())) {
      throw error.thrownException();
    }
  }
}

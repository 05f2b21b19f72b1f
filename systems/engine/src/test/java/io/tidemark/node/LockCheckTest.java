package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The lock check sees what it is there to see")
class LockCheckTest {
  private final LockCheck check = new LockCheck(1);

  private static final class One {}

  private static final class Two {}

  @Test
  @DisplayName("NM-L8 a monitor or a lock that is held at a door is reported, a free thread is not")
  void heldAtADoor() {
    check.leaving("a free door");
    assertEquals(List.of(), check.heldOutside());
    One one = new One();
    synchronized (one) {
      check.leaving("the first door");
    }
    ReentrantLock lock = new ReentrantLock();
    lock.lock();
    try {
      check.leaving("the second door");
    } finally {
      lock.unlock();
    }
    assertThat(check.heldOutside())
        .satisfiesExactly(
            first -> assertThat(first).startsWith("the first door is called with"),
            second -> assertThat(second).startsWith("the second door is called with"));
  }

  @Test
  @DisplayName(
      "NM-L8 locks taken inside one another in both orders are reported, in one they are not")
  void bothOrders() {
    One one = new One();
    Two two = new Two();
    synchronized (one) {
      synchronized (two) {
        check.sample();
      }
    }
    assertEquals(List.of(), check.cycles());
    synchronized (two) {
      synchronized (one) {
        check.sample();
      }
    }
    assertEquals(2, check.cycles().size(), () -> check.cycles().toString());
  }
}

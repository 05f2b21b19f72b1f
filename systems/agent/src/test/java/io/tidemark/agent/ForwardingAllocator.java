package io.tidemark.agent;

import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;

/** Another allocator, of which a test answers some questions otherwise. */
public class ForwardingAllocator implements Allocator {
  private final Allocator other;

  /** Does what {@code other} does. */
  public ForwardingAllocator(Allocator other) {
    this.other = other;
  }

  @Override
  public IpFamily family() {
    return other.family();
  }

  @Override
  public int capacity() {
    return other.capacity();
  }

  @Override
  public int freeCount() {
    return other.freeCount();
  }

  @Override
  public int position(IpAddress ip) {
    return other.position(ip);
  }

  @Override
  public IpAddress address(int position) {
    return other.address(position);
  }

  @Override
  public Denial refusal(IpAddress ip) {
    return other.refusal(ip);
  }

  @Override
  public boolean take(int position) {
    return other.take(position);
  }

  @Override
  public int takeNext() {
    return other.takeNext();
  }

  @Override
  public void free(int position) {
    other.free(position);
  }

  @Override
  public String origin() {
    return other.origin();
  }
}

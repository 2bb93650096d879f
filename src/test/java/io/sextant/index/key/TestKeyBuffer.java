/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.sextant.index.key;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestKeyBuffer
{
    @Test
    void testAppend()
    {
        KeyBuffer buffer = new KeyBuffer();
        buffer.appendByte((byte) 0xFE);
        buffer.appendLong(0x0102_0304_0506_0708L);
        buffer.appendBytes(new byte[] {9, 10, 11, 12}, 1, 2);
        buffer.appendBytes(new byte[] {13});
        assertThat(buffer.length()).isEqualTo(12);
        assertThat(buffer.toByteArray()).isEqualTo(new byte[] {(byte) 0xFE, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13});
        assertThat(Arrays.copyOf(buffer.array(), 12)).isEqualTo(buffer.toByteArray());
        buffer.truncate(2);
        buffer.appendByte((byte) 7);
        assertThat(buffer.toByteArray()).isEqualTo(new byte[] {(byte) 0xFE, 1, 7});
        buffer.reset();
        assertThat(buffer.toByteArray()).isEmpty();
    }

    @Test
    void testBounds()
    {
        KeyBuffer buffer = new KeyBuffer();
        buffer.appendByte((byte) 1);
        assertThatThrownBy(() -> buffer.truncate(2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> buffer.truncate(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> buffer.appendBytes(new byte[2], 1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> buffer.appendEscaped(new byte[2], 1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(buffer.toByteArray()).isEqualTo(new byte[] {1});
    }

    @Test
    void testGrowth()
    {
        KeyBuffer buffer = new KeyBuffer();
        for (int value = 0; value < 10_000; value++) {
            buffer.appendLong(value);
        }
        assertThat(buffer.length()).isEqualTo(80_000);
        assertThat(buffer.toByteArray()).endsWith(0, 0, 0, 0, 0, 0, 0x27, 0x0F);
        assertThat(buffer.toByteArray()).startsWith(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
    }

    @Test
    void testEscaping()
    {
        Random random = new Random(42);
        for (int round = 0; round < 20_000; round++) {
            // Bytes 0x01 and 0x80 are those that a wrong search for zero bytes takes for one
            byte[] alphabet = {0, 1, (byte) 0x80, (byte) 0x81, (byte) 0xFF, 'a', 'b', 'c'};
            byte[] bytes = new byte[random.nextInt(200)];
            int zeros = random.nextInt(3);
            for (int index = 0; index < bytes.length; index++) {
                bytes[index] = alphabet[random.nextInt(zeros == 0 ? 1 : 0, zeros == 2 ? 2 : alphabet.length)];
            }
            int offset = random.nextInt(bytes.length + 1);
            int length = random.nextInt(bytes.length - offset + 1);
            KeyBuffer buffer = new KeyBuffer();
            buffer.appendByte((byte) 5);
            buffer.appendEscaped(bytes, offset, length);
            assertThat(buffer.toByteArray()).isEqualTo(escapedByteByByte(bytes, offset, length));
        }
    }

    private static byte[] escapedByteByByte(byte[] bytes, int offset, int length)
    {
        ByteArrayOutputStream escaped = new ByteArrayOutputStream();
        escaped.write(5);
        for (int index = offset; index < offset + length; index++) {
            escaped.write(bytes[index]);
            if (bytes[index] == 0) {
                escaped.write(0xFF);
            }
        }
        escaped.write(0);
        escaped.write(0);
        return escaped.toByteArray();
    }
}

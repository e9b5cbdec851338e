import { z } from 'zod'
import { requiredText } from '@/lib/fields'

export const savedSchema = z.object({ name: requiredText(80, 'Please give it a name.') })
